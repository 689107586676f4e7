"""Commands a second with more and more servers, beside what PostgreSQL alone commits."""
