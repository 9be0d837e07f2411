"""Places in the user's source."""

from ascend_sim.machine.site import site_at


def test_code_objects_that_are_equal_keep_their_own_files():
    first, second = (compile("x = 1\ny = 2\n", name, "exec") for name in ("a.py", "b.py"))
    assert first == second
    offset = next(start for start, _, line in first.co_lines() if line == 2)
    assert (site_at(first, offset).file, site_at(second, offset).file) == ("a.py", "b.py")
    assert site_at(first, offset).line == 2


def test_an_offset_without_a_line_is_the_first_one():
    code = compile("x = 1\n", "a.py", "exec")
    assert site_at(code, 10_000).line == code.co_firstlineno
