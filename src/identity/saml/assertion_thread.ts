/** Runs in a thread: checks one answer of very many elements (assertion.ts). */
import { check } from './assertion.ts'

export default check
