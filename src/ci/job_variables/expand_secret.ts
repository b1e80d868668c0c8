/** Expands references to variables whose values are secrets. The rules are those of platform/expansion. */
import { type ExpandOptions, expand, lookUp } from '../../platform/expansion/expand.ts'
import { Secret } from '../../platform/secret.ts'

/** A variable that texts of CI files may refer to. */
export interface SecretVariable {
  readonly key: string
  readonly value: string | Secret
  readonly raw?: boolean | undefined
}

/** Expands the references in texts. */
export interface Expander {
  /** For texts that only the server and the runner read: paths that are looked up, and the values of other variables. */
  secret(text: string | Secret): Secret
  /**
   * For names that the author of the CI file chooses: environments and their addresses, tags, resource groups. The name is public, and so
   * is a value that is expanded into it: an author who can write it there could as well make a job print it.
   */
  published(text: string): string
}

/** Expands references to these variables; of several of one key the last counts. */
export function expanderWith(variables: Iterable<SecretVariable>, options?: ExpandOptions): Expander {
  const known = lookUp([...variables].map(({ key, value, raw }) => ({ key, value: Secret.of(value).reveal(), raw })))
  return {
    secret: text => new Secret(expand(Secret.of(text).reveal(), known, options)),
    published: text => expand(text, known, options),
  }
}
