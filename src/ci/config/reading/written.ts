/** Writes a map of a CI file as YAML: the whole of it, since the library cannot pause. */
import { dump, realMapTag, YAML11_SCHEMA } from 'js-yaml'
import type { YamlMap } from './values.ts'

const schema = YAML11_SCHEMA.withTags(realMapTag)

export const written = (config: YamlMap): string => dump(config, { schema, lineWidth: -1, noRefs: true, seqNoIndent: true })
