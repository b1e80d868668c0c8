/**
 * The floor of a request: a bare `node:http` handler that runs the statements of the request on the same connections'
 * settings, reads the same git objects through a warm `git cat-file --batch`, and makes the same JSON.
 */
import pino from 'pino'
import { openDatabase } from '../../src/platform/db/connection.ts'
import type { Statement } from '../capture.ts'
import { startReader } from './objects.ts'
import { serveFloor } from './serve.ts'

/** What the handler does for each request. */
export interface Work {
  readonly databaseUrl: string
  readonly poolSize: number
  /** Runs the first alone, since the others need to know the caller; then all others concurrently. */
  readonly statements: readonly Statement[]
  readonly objects: { readonly repository: string; readonly names: readonly string[] } | undefined
  /** The answer: serialised for each request where it is JSON. */
  readonly body: Buffer
  readonly mediaType: string
}

await serveFloor<Work>(async ({ databaseUrl, poolSize, statements, objects, body, mediaType }) => {
  const { pool } = await openDatabase({ url: databaseUrl, poolSize, log: pino({ level: 'error' }) })
  const queries = statements.map(({ sql, parameters }, index) => ({ name: `statement-${index}`, text: sql, values: [...parameters] }))
  const [first, ...others] = queries
  const read = objects && (await startReader(objects.repository, objects.names))
  const json: unknown = mediaType === 'application/json' ? JSON.parse(body.toString()) : undefined

  async function answer(): Promise<string | Buffer> {
    if (first) await pool.query(first)
    await Promise.all(others.map(query => pool.query(query)))
    await read?.()
    return json === undefined ? body : JSON.stringify(json)
  }
  return (_request, response) => {
    answer().then(
      bytes => response.setHeader('content-type', mediaType).end(bytes),
      error => {
        response.statusCode = 500
        response.end(String(error))
      },
    )
  }
})
