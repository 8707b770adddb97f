"""Which model the settings ask for."""

from core.agent.models.base import Model
from core.agent.models.offline.model import OfflineModel
from core.settings import Settings


def make_model(settings: Settings) -> Model:
    """Make Claude where a key or a server is set, else the offline model."""
    if settings.is_offline:
        return OfflineModel()
    from core.agent.models.claude import Claude  # its SDK takes a second to import

    return Claude(settings)
