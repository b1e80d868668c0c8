import { stringify } from 'yaml'
import type { YamlMap } from './values.ts'
import { yamlDialect } from './yaml.ts'

/** A merged configuration as YAML, for the linter to show. */
export const yamlOf = (config: YamlMap): string =>
  `---\n${stringify(config, { ...yamlDialect, lineWidth: 0, aliasDuplicateObjects: false, indentSeq: false })}`
