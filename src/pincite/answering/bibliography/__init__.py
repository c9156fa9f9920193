"""Lists of references: what is known of each cited source, as CSL-JSON inside, in a CSL style or as data."""
