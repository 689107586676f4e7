"""What an operator needs: logs, metrics, exports, a warm start."""
