/**
 * Installs the published clients of `package.json` beside this file, for the tests that run them unmodified. They stay apart from the project's own
 * dependencies, which they would treble. Nothing of them is delivered, and none of their install scripts runs.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../../.cache/npm_clients')
mkdirSync(folder, { recursive: true })
for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(import.meta.dirname, file), join(folder, file))
execFileSync('npm', ['ci'], { cwd: folder, stdio: 'inherit' })
