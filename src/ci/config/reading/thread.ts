/** Runs in a thread: parses one long CI file (read.ts). */
import { answer } from './read.ts'

export default answer
