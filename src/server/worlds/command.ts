/** `ingot world`: what the file of a world may say, and what is wrong with one. */
import { readWorld } from './read.ts'
import { schemaText } from './schema.ts'

/** Prints how much is in a file. @throws ConfigError it is no world */
export async function checkWorld(file: string): Promise<void> {
  const { people = [], groups = [], projects = [] } = (await readWorld(file)).world
  process.stdout.write(`${file} is a world of ${people.length} people, ${groups.length} groups and ${projects.length} projects\n`)
}

/** Prints the JSON schema. */
export function printWorldSchema(): void {
  process.stdout.write(schemaText)
}
