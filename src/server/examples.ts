/** The examples that the API's description shows. `npm run generate -- all` takes them from the world of the tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Examples } from '../platform/kernel/openapi/openapi.ts'

/** Read with the first description, which takes far longer. */
export const examples = (): Examples => JSON.parse(readFileSync(join(import.meta.dirname, 'examples.json'), 'utf8')) as Examples
