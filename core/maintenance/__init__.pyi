"""What other rooms may use of `core.maintenance`."""

from .backups import BackupSummary as BackupSummary, backup as backup, restore as restore
from .checks import check as check, describe_kept_values as describe_kept_values
