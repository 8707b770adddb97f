"""MAINTAIN: check, back up and restore the whole data folder."""

from core.maintenance.backups import BackupSummary, backup, restore
from core.maintenance.checks import check
