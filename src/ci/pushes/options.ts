/** The push options for CI: `git push -o ci.skip`, `-o ci.variable="KEY=value"` (public documentation, push options). Pure. */
import { Secret } from '../../platform/secret.ts'
import type { GivenVariable } from '../run_variables/given.ts'

export interface PushOptions {
  readonly skips: boolean
  /** Each key once, with its last value. */
  readonly variables: readonly GivenVariable[]
}

/** Other options and invalid variables are ignored: they are no reason to refuse a push that has been received. */
export function parsePushOptions(options: readonly string[]): PushOptions {
  const variables = new Map<string, string>()
  for (const option of options) {
    const [, key, value] = /^ci\.variable=([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(option) ?? []
    if (key !== undefined && value !== undefined) variables.set(key, value)
  }
  return {
    skips: options.some(option => option === 'ci.skip' || option.startsWith('ci.skip=')),
    variables: [...variables].map(([key, value]) => ({ key, value: new Secret(value) })),
  }
}
