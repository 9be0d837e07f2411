"""Pictures of what ran: lane maps and explanations."""

from ascend_sim.views.explain import Explanation, explain
from ascend_sim.views.lanemap import LaneMap, lane_map

__all__ = ["Explanation", "LaneMap", "explain", "lane_map"]
