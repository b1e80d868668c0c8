/** `npm run generate`, second half: the tests that compare golden files write them instead. */
import { updateVariable } from './golden.ts'

// biome-ignore lint/style/noProcessEnv: the way from here to the tests
process.env[updateVariable] = '1'
await import('./derived/access.test.ts')
await import('./derived/openapi.test.ts')
await import('./documents.test.ts')
