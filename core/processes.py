"""The processes of this machine, by their numbers."""

import ctypes
import os
import sys
from typing import Literal


def find_process(pid: int) -> Literal["own", "another's"] | None:
    """Return whose process has a number: this account's or another's; None if there is none."""
    if sys.platform == "win32":  # os.kill would send it Ctrl+C there
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.OpenProcess.restype = ctypes.c_void_p
        handle = ctypes.c_void_p(kernel.OpenProcess(0x0010_0000, False, pid))  # SYNCHRONIZE
        if not handle:
            return "another's" if ctypes.get_last_error() == 5 else None  # ERROR_ACCESS_DENIED
        is_running = kernel.WaitForSingleObject(handle, 0) == 258  # WAIT_TIMEOUT
        kernel.CloseHandle(handle)
        return "own" if is_running else None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return "another's"
    return "own"
