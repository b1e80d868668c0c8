import { dump, realMapTag, YAML11_SCHEMA } from 'js-yaml'
import { mapInSlices } from '../../../platform/kernel/answer/time_slicing.ts'
import type { YamlMap } from './values.ts'

const schema = YAML11_SCHEMA.withTags(realMapTag)

const written = (config: YamlMap): string => dump(config, { schema, lineWidth: -1, noRefs: true, seqNoIndent: true })

/** A part of a configuration, such as one rule, as YAML. */
export const partYaml = (config: YamlMap): string => `---\n${written(config)}`

/** A merged configuration as YAML, for the linter to show. Written key by key, in slices: thousands of jobs take a tenth of a second. */
export const yamlOf = async (config: YamlMap): Promise<string> =>
  `---\n${config.size === 0 ? written(config) : (await mapInSlices(config, entry => written(new Map([entry])))).join('')}`
