// `npm run lock`: the exact versions and hashes of all packages. npm also writes down where each asks for money, and an
// address in the lock is what a test keeps out: packages come from wherever the machine gets its packages.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(FILE, 'utf8'))
for (const known of Object.values(lock.packages)) delete known.funding
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`)
