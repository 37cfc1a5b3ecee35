"""What the site consists of: files of the repository as they are, and pages made from results."""
