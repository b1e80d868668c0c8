/** Runs in a thread: checks one large state (content.ts). */
import { serialIn } from './content.ts'

export default serialIn
