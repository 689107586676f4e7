"""What processes say to each other, over NATS: numbered packets that may get lost."""
