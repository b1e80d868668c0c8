/** Mails for tests, as people and programs write them, handed in as a mail service does. */
import type { Scene } from '../../../test/scene.ts'

/** The settings of an instance that takes mails. */
export const takingMail = {
  externalUrl: 'https://git.example.com',
  incomingMail: 'incoming+%{key}@example.com',
  incomingMailToken: 'token-of-the-mail-service',
} as const

export interface SentMail {
  readonly from: string
  readonly to: string
  readonly subject?: string
  readonly text?: string
  readonly messageId?: string
  /** Whole lines, before the body. */
  readonly headers?: readonly string[]
  /** All after the headers; `headers` then say what it is. */
  readonly body?: string
}

let count = 0

/** The source of a mail. */
export function mailSource({ from, to, subject = 'Re: A lamp', text = 'Hello', messageId, headers = [], body }: SentMail): string {
  const id = messageId ?? `<mail-${++count}@mail.example.com>`
  const head = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Message-ID: ${id}`,
    'Date: Tue, 01 Jun 2021 12:00:00 +0000',
    ...headers,
  ]
  const type = body === undefined ? ['Content-Type: text/plain; charset=utf-8'] : []
  return `${[...head, 'MIME-Version: 1.0', ...type].join('\r\n')}\r\n\r\n${(body ?? text).replaceAll(/\r?\n/g, '\r\n')}\r\n`
}

/** A mail of several parts: `parts` are whole, with their headers. */
export const multipart = (parts: readonly string[], kind = 'mixed', boundary = 'next') => ({
  headers: [`Content-Type: multipart/${kind}; boundary="${boundary}"`],
  body: `${parts.map(part => `--${boundary}\r\n${part}`).join('\r\n')}\r\n--${boundary}--`,
})

/** Hands mails in. */
export function mailService({ url }: Pick<Scene, 'url'>) {
  const send = (body: string | Uint8Array<ArrayBuffer> | FormData | URLSearchParams, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${url}/-/incoming_mail`, {
      method: 'POST',
      headers: { authorization: `Bearer ${takingMail.incomingMailToken}`, ...headers },
      body,
    })
  return {
    send,
    /** The status for a mail. */
    hand: async (mail: SentMail | string) => {
      const answer = await send(typeof mail === 'string' ? mail : mailSource(mail), { 'content-type': 'message/rfc822' })
      await answer.arrayBuffer()
      return answer.status
    },
  }
}
