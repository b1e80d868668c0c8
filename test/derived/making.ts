/** How the things of the world are made. */
import type { Client } from '../client.ts'

/** Rows that every list has at least. */
export const ROWS = 8

// biome-ignore lint/suspicious/noExplicitAny: each resource has its own
type Made = { id: number } & Record<string, any>

/** Makes something and returns it. @throws Error when it is refused */
export async function make(client: Client, path: string, body: object): Promise<Made> {
  const answer = await client.post(path, body)
  if (answer.status !== 201)
    throw new Error(`POST ${path} ${JSON.stringify(body)} was refused: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

export const rows = Array.from({ length: ROWS }, (_, index) => index)
