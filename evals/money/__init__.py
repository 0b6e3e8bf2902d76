"""What a run spends and may spend: tokens and money, priced by a dated table, over all its starts."""
