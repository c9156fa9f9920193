"""What people said: annotations, their agreement, and labels that a judge is measured by."""
