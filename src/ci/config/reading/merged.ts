import { stringify } from 'yaml'
import type { YamlMap } from './values.ts'

/** A merged configuration as YAML, for the linter to show. */
export const yamlOf = (config: YamlMap): string =>
  `---\n${stringify(config, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false, indentSeq: false })}`
