/** Runs in a thread: writes the long parts of a merged CI file as YAML (merged.ts). */
import type { YamlMap } from './values.ts'
import { written } from './written.ts'

export default (config: YamlMap): readonly string[] => [...config].map(entry => written(new Map([entry])))
