# SPDX-License-Identifier: Apache-2.0
"""Tests of the tool-info module. `python3 test_hone.py HONE`: HONE is the program; BenchExec must be importable."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import types
import unittest

import benchexec.result as result
from benchexec.tools.template import BaseTool2

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location("hone_tool", os.path.join(HERE, "hone.py"))
MODULE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(MODULE)
HONE = None

SAFE = "int main(void) { return 0; }\n"
BUG = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) { if (__VERIFIER_nondet_int() == 42) reach_error(); return 0; }
"""
PROPERTY = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"


class ToolInfo(unittest.TestCase):
    def setUp(self):
        self.tool = MODULE.Tool()
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(content)
        return path

    def execute(self, program, options=(), limits=None):
        limits = limits or BaseTool2.ResourceLimits(cputime=30, memory=1 << 30)
        task = BaseTool2.Task.with_files(
            [self.write("prog.c", program)],
            property_file=self.write("p.prp", PROPERTY),
            options={"language": "C", "data_model": "ILP32"},
        )
        command = self.tool.cmdline(HONE, list(options), task, limits)
        done = subprocess.run(command, capture_output=True, text=True)
        lines = done.stdout.splitlines(keepends=True)
        return command, self.determine(lines, done.returncode)

    def determine(self, lines, code):
        exit_code = types.SimpleNamespace(value=code, signal=None, raw=code)
        output = BaseTool2.RunOutput(lines)
        return self.tool.determine_result(BaseTool2.Run([HONE], exit_code, output, None))

    def test_name_and_version(self):
        self.assertEqual(self.tool.name(), "Hone")
        self.assertRegex(self.tool.version(HONE), r"^\d+\.\d+\.\d+")

    def test_results(self):
        self.assertEqual(self.execute(SAFE)[1], result.RESULT_TRUE_PROP)
        self.assertEqual(self.execute(BUG)[1], result.RESULT_FALSE_REACH)
        self.assertEqual(self.execute("int main(void) {")[1], "ERROR(input)")

    def test_command_line(self):
        command, _ = self.execute(SAFE, ["--config", "bmc"])
        text = " ".join(command)
        for part in ["check --config bmc", "--property", "--data-model ILP32", "--timeout 28s", "--memory"]:
            self.assertIn(part, text)

    def test_witnesses_are_validated(self):
        witness = os.path.join(self.folder.name, "w.yml")
        self.assertEqual(self.execute(BUG, ["check", "--witness", witness])[1], result.RESULT_FALSE_REACH)
        self.assertEqual(self.execute(BUG, ["validate", "--witness", witness])[1], result.RESULT_FALSE_REACH)

    def test_other_lines(self):
        self.assertEqual(self.determine(["verdict: unknown (timeout)\n"], 3), "TIMEOUT")
        self.assertEqual(self.determine(["verdict: unknown (memory)\n"], 3), "OUT OF MEMORY")
        self.assertEqual(self.determine(["verdict: unknown (no progress)\n"], 3), "unknown(no progress)")
        self.assertEqual(self.determine(["verdict: refuted (it (x) fails)\n"], 1), "unknown(refuted)")
        self.assertEqual(self.determine([], 2), "ERROR(input)")

    def test_values(self):
        output = BaseTool2.RunOutput(["statistics:\n", "  bmc.queries   17\n", "verdict: true\n"])
        self.assertEqual(self.tool.get_value_from_output(output, "bmc.queries"), "17")
        self.assertIsNone(self.tool.get_value_from_output(output, "nothing"))


if __name__ == "__main__":
    HONE = os.path.abspath(sys.argv.pop(1))
    unittest.main()
