/** One request, taken apart: what it is answered with, and the statements that this takes. */

import { recordQueries } from '../src/platform/db/statements/statements.ts'
import type { Deps } from '../src/platform/kernel/context.ts'
import { buildApp } from '../src/server/app.ts'

/** A statement with its parameters. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface Captured {
  readonly statements: readonly Statement[]
  readonly body: Buffer
  readonly mediaType: string
}

/** Asks an application over the instance's database, in this process, for `address` and records what it does. */
export async function capture(deps: Deps, address: string, headers: Readonly<Record<string, string>>): Promise<Captured> {
  const app = await buildApp(deps)
  // Awaited within: the request starts when it is awaited, which must be inside the recording.
  const ask = async () => await app.inject({ url: address, headers })
  try {
    // The first use of a token is written down; those that are measured are not the first.
    await ask()
    const { result, queries } = await recordQueries(ask)
    if (result.statusCode !== 200) throw new Error(`GET ${address} was answered ${result.statusCode}: ${result.body}`)
    if (queries.length === 0) throw new Error(`GET ${address} ran no statement: the recording is broken`)
    return {
      statements: queries.map(({ sql, parameters }) => ({ sql, parameters })),
      body: result.rawPayload,
      mediaType: String(result.headers['content-type']),
    }
  } finally {
    await app.close()
  }
}
