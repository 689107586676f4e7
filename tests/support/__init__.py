"""What the tests share: tables, servers, browsers, second readings."""
