"""Does the WebAssembly module play what native code plays, in Node and Chromium, and how fast?"""
