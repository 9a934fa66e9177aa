import {
  checkedAddresses,
  deliverWithin,
  DeliveryFailure,
  type GuardOptions,
} from '../../kernel/guarded-post.ts'
import { headline, plainText, type Envelope } from './bodies.ts'

type Settings = Readonly<Record<string, unknown>>

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * The Message-ID of a delivery: the same at every attempt, so that a mail server or a reader can tell that it has the
 * mail already (RFC 5322, 3.6.4).
 */
const messageIdOf = (deliveryId: string, from: string): string =>
  `<${deliveryId}@${from.slice(from.lastIndexOf('@') + 1)}>`

/** Sends a mail under the same rule for addresses as webhooks. Throws a DeliveryFailure, or the signal's reason. */
export const sendMail = (
  settings: Settings,
  envelope: Envelope,
  guard: GuardOptions,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<void> =>
  deliverWithin(timeoutMs, signal, (deadline) => send(settings, envelope, guard, timeoutMs, deadline))

async function send(
  settings: Settings,
  envelope: Envelope,
  guard: GuardOptions,
  timeoutMs: number,
  deadline: AbortSignal,
): Promise<void> {
  const host = text(settings['host'])
  const port = Number(settings['port'])
  // Loaded with the first mail: most services send none.
  const { createTransport } = await import('nodemailer')
  try {
    const [address] = await checkedAddresses(guard, host, String(port), deadline)
    if (!address) throw new DeliveryFailure(`the name ${host} has no address`)
    const user = text(settings['user'])
    const transport = createTransport({
      // The checked address, while the certificate is compared with the name.
      host: address.address,
      port,
      secure: settings['security'] === 'tls',
      requireTLS: settings['security'] === 'starttls',
      ignoreTLS: settings['security'] === 'none',
      tls: { servername: host },
      ...(user !== '' && { auth: { user, pass: text(settings['password']) } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const close = (): void => transport.close()
    deadline.addEventListener('abort', close, { once: true })
    try {
      const from = text(settings['from'])
      const sending = transport.sendMail({
        from: { name: 'Ridgeline', address: from },
        to: (settings['to'] as readonly string[]).map((address) => ({ name: '', address })),
        subject: headline(envelope.message),
        text: plainText(envelope),
        messageId: messageIdOf(envelope.deliveryId, from),
        date: new Date(envelope.message.timestamp * 1000),
        headers: {
          'X-Ridgeline-Alarm': envelope.message.alarmId,
          'Idempotency-Key': envelope.deliveryId,
          'Auto-Submitted': 'auto-generated',
        },
      })
      await Promise.race([sending, aborted(deadline)])
    } finally {
      deadline.removeEventListener('abort', close)
      transport.close()
    }
  } catch (error) {
    throw error instanceof DeliveryFailure ? error : mailFailure(error)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

/** A failure of the mail library, without what the server said: that may repeat credentials. */
function mailFailure(error: unknown): DeliveryFailure {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  if (responseCode !== undefined) {
    // 5yz is permanent (RFC 5321, 4.2.1); an authentication may be repaired by the operator, which makes it a new try.
    return new DeliveryFailure(`the mail server answered ${responseCode}`, { isFinal: responseCode >= 500 })
  }
  return new DeliveryFailure(`the mail was not sent (${code ?? 'unknown'})`)
}
