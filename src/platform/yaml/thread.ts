/** Runs in a thread: parses one long text (read.ts). */
import { parseYaml } from './parse.ts'

export default parseYaml
