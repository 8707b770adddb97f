"""MAINTAIN: check, back up and restore the whole data folder."""

from core.maintenance.backup import backup, restore
from core.maintenance.check import check
