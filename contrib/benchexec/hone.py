# SPDX-License-Identifier: Apache-2.0
"""Tool-info module of BenchExec for Hone.

Put this file where Python finds it as `benchexec.tools.hone`, or name it in a benchmark definition by its own module,
such as `tool="contrib.benchexec.hone"`. With an option `--witness FILE` in front, Hone validates the witness.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    REQUIRED_PATHS = ["hone"]

    def name(self):
        return "Hone"

    def executable(self, tool_locator):
        return tool_locator.find_executable("hone", subdir="bin")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hone")

    def cmdline(self, executable, options, task, rlimits):
        options = list(options)
        command = "check"
        if options and options[0] in ("check", "validate"):
            command = options.pop(0)
        elif "--witness" in options and "--output" not in options and self._reads_witness(task):
            command = "validate"
        if task.property_file:
            options += ["--property", task.property_file]
        model = get_data_model_from_task(task, {"ILP32": "ILP32", "LP64": "LP64"})
        if model and "--data-model" not in options:
            options += ["--data-model", model]
        # Hone ends by itself a little earlier, with a clean answer.
        limit = rlimits.cputime or rlimits.walltime
        if limit and "--timeout" not in options:
            options += ["--timeout", f"{max(limit - 2, limit * 0.9):g}s"]
        if rlimits.memory and "--memory" not in options:
            options += ["--memory", str(int(rlimits.memory * 0.9))]
        return [executable, command, *options, task.single_input_file]

    def _reads_witness(self, task):
        return isinstance(task.options, dict) and "witness" in task.options

    def determine_result(self, run):
        for line in reversed(run.output):
            if not line.startswith("verdict: "):
                continue
            verdict = line[len("verdict: "):].strip()
            if verdict == "true":
                return result.RESULT_TRUE_PROP
            if verdict.startswith("false(") and verdict.endswith(")"):
                return verdict
            if verdict.startswith("unknown (") and verdict.endswith(")"):
                reason = verdict[len("unknown ("):-1]
                if reason == "timeout":
                    return result.RESULT_TIMEOUT if hasattr(result, "RESULT_TIMEOUT") else "TIMEOUT"
                if reason == "memory":
                    return "OUT OF MEMORY"
                return f"{result.RESULT_UNKNOWN}({reason})"
            if verdict.startswith("refuted"):
                return f"{result.RESULT_UNKNOWN}(refuted)"
        if run.exit_code.value == 2:
            return result.RESULT_ERROR + "(input)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        # Rows of `--stats`: a name, blanks, a number with its unit.
        for line in output:
            words = line.split()
            if len(words) >= 2 and words[0] == identifier:
                return words[1]
        return None
