import { dump, realMapTag, YAML11_SCHEMA } from 'js-yaml'
import type { YamlMap } from './values.ts'

const schema = YAML11_SCHEMA.withTags(realMapTag)

/** A merged configuration as YAML, for the linter to show. */
export const yamlOf = (config: YamlMap): string => `---\n${dump(config, { schema, lineWidth: -1, noRefs: true, seqNoIndent: true })}`
