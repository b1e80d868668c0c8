/** Builds `ingot/testing` for those who install the package: Node reads no TypeScript below `node_modules`. `npm run build` runs it. */
import { join } from 'node:path'
import { build } from 'esbuild'

await build({
  entryPoints: [join(import.meta.dirname, 'index.ts')],
  outfile: join(import.meta.dirname, '../../../../dist/testing/index.js'),
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  bundle: true,
})
