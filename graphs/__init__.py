"""The only place where minds and tools meet: wirings of perceive, hop, interpret and judge."""
