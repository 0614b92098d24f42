//! Tests of augmentation: shapes of bodies, nests, and bounds.

use super::*;
use crate::build::Builder;
use crate::expr::BinOp;
use crate::observer::Pattern;
use crate::value::Scalar;
