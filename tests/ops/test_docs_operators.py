"""docs/operators.md: its example runs, its table of zeros and its counts are those of the operators."""

import re
from pathlib import Path

import numpy as np

from ascend_sim import NPU, pypto

PAGE = (Path(__file__).parents[2] / "docs" / "operators.md").read_text()


def test_the_example_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    with pypto.scope():
        exec(compile(code, "operators.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("[[0 2 1]]")
    assert "floor_div((64, 64) DT_INT32, (64, 64) DT_INT32) on ascend950" in printed
    assert "aclnnSlice((6, 4) float32, dim 0, 0:6:2), move on" in printed


def test_counts_on_the_page():
    with NPU("ascend910b"):
        assert sum(pypto.explain("floor_div", (8, 8), pypto.DT_INT32).counts.values()) == 29 + 3
    with NPU("ascend950"):
        shown = pypto.explain("pow", (8, 64), pypto.DT_FP32)
    assert sum(shown.counts.values()) == 276 + 3


def test_numbers_on_the_page():
    with NPU("ascend910b", int_mode="saturate"):
        assert pypto.floor_div(np.array([(1 << 31) - 1], np.int32), np.array([2], np.int32)).numpy()[0] == 1073741824
    with NPU("ascend910b"):
        assert pypto.pow(np.array([0.3], np.float32), 1).numpy()[0] == np.float32(0.29999998)
