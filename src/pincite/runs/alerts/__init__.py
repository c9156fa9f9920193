"""When a run needs attention, and how that is reported."""
