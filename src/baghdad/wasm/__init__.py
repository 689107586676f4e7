"""The engine and what plays by it, compiled to WebAssembly: functions over plain memory."""
