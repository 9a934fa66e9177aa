import { useId, useState } from 'react'
import type { Profile } from '../../../contract/profile.ts'
import { useCurrentChain, useOffers } from '../../api/current.ts'
import { keys } from '../../api/session.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { useStore } from '../../components/hooks.ts'
import { AlertIcon } from '../../components/icons.ts'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useRequest } from '../../components/use-request.ts'
import { Failed } from '../shared/failed.tsx'
import { Button, Form } from '../../components/controls.tsx'
import { shapeOf } from './answer-shape.ts'
import { AnswerView, CodeBox } from './answer.tsx'
import { curlOf, typescriptOf, type Sendable } from './commands.ts'
import type { ApiOperation } from './document.ts'
import { FieldRow } from './field-row.tsx'
import { plural } from '../../lib/text.ts'
import { buildRequest, isMetricsPath, type Built, type Values } from './request.ts'
import { send } from './send.ts'
import { useValues } from './use-values.ts'

/** The request with its address; the key is that of the profile, or a word in its place. */
function sendableOf(
  built: Built,
  operation: ApiOperation,
  profile: Profile,
  key: string | undefined,
): Sendable {
  const base = isMetricsPath(operation.path) ? profile.metricsUrl : profile.dataUrl
  return {
    method: operation.method,
    url: new URL(`${base.replace(/\/$/, '')}${built.path}`, location.origin).href,
    headers: key === undefined ? {} : { [profile.keyHeader]: key },
    body: built.body,
  }
}

/** The request for a shell and for TypeScript. */
function Commands({ request }: { request: Sendable }) {
  const [language, setLanguage] = useState<'curl' | 'TypeScript'>('curl')
  const text = language === 'curl' ? curlOf(request) : typescriptOf(request)
  return (
    <Tabs
      label="The request as code"
      current={language}
      onChange={setLanguage}
      tabs={[
        { id: 'curl', label: 'curl' },
        { id: 'TypeScript', label: 'TypeScript' },
      ]}
    >
      <div className="flex min-w-0 items-start gap-1">
        <div className="min-w-0 flex-1">
          <CodeBox label={`The request in ${language}`} text={text} />
        </div>
        <CopyButton text={text} name={language} />
      </div>
    </Tabs>
  )
}

/** One operation: its form, its answer, and the same request for a shell and for TypeScript. */
export function OperationForm({ operation, profile }: { operation: ApiOperation; profile: Profile }) {
  const [values, setValue] = useValues(operation)
  const form = useId()
  const [tried, setTried] = useState(false)
  const sending = useRequest(send)
  const { chainId } = useCurrentChain()
  const key = useStore(keys, (all) => all[profile.id])
  const offered = useOffers(operation.id)
  // Values that all requests of a profile share replace empty fields.
  const known: Values = { network: profile.network, ...(chainId !== undefined && { chainId }) }
  const meant = Object.fromEntries(
    operation.fields.map(({ key: name, isRequired }) => [
      name,
      (values[name] ?? '') === '' && isRequired ? (known[name] ?? '') : (values[name] ?? ''),
    ]),
  )
  const built = buildRequest(operation, meant)
  const wrong = 'wrong' in built ? built.wrong : {}
  const shown =
    'request' in built ? sendableOf(built.request, operation, profile, key && 'YOUR-KEY') : undefined
  const submit = (): void => {
    setTried(true)
    if ('request' in built) sending.mutate(sendableOf(built.request, operation, profile, key))
  }
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <div className="flex min-w-0 flex-col gap-1">
        <h2 className="text-h2 font-strong">{operation.summary}</h2>
        <p className="font-mono text-mono break-all">
          <span className="text-muted">{operation.method}</span> {operation.path}
        </p>
        {operation.description !== '' && (
          <p className="max-w-[80ch] whitespace-pre-line text-muted">{operation.description}</p>
        )}
        {!offered && (
          <p className="flex items-center gap-2 text-warn">
            <AlertIcon />
            {profile.name} does not offer this operation.
          </p>
        )}
      </div>
      <div className="grid min-w-0 grid-cols-1 items-start gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <Form
          id={form}
          aria-label={operation.summary}
          noValidate
          className="min-w-0 border-t border-line"
          onSubmit={submit}
        >
          {operation.fields.map((field) => (
            <FieldRow
              key={field.key}
              field={field}
              value={values[field.key] ?? ''}
              known={field.isRequired ? known[field.key] : undefined}
              error={tried || (values[field.key] ?? '') !== '' ? wrong[field.key] : undefined}
              onValue={(text) => setValue(field.key, text)}
            />
          ))}
          {operation.fields.length === 0 && (
            <p className="border-b border-line py-2 text-muted">It takes no parameters.</p>
          )}
        </Form>
        <div className="flex min-w-0 flex-col gap-4 xl:sticky xl:top-16 xl:max-h-[calc(100vh-80px)] xl:overflow-y-auto xl:p-1">
          <div className="flex flex-wrap items-center gap-3">
            <Button
              type="submit"
              form={form}
              className="border-accent bg-accent font-strong text-on-accent hover:not-disabled:bg-accent disabled:bg-surface"
              disabled={sending.isPending}
            >
              {sending.isPending ? 'Asking' : 'Send'}
            </Button>
            {sending.isPending && <Button onClick={sending.cancel}>Cancel</Button>}
            {tried && 'wrong' in built && (
              <span role="alert" className="text-bad">
                Not sent: {Object.keys(wrong).length} {plural(Object.keys(wrong).length, 'field')} missing or
                invalid.
              </span>
            )}
          </div>
          {shown && <Commands request={shown} />}
          {!sending.isIdle && (
            <Section title="Answer">
              {sending.isPending && <SkeletonRows count={6} />}
              {sending.data && <AnswerView answer={sending.data} name={operation.id} />}
              {sending.error && (
                <Failed title="The operation gave no answer." error={sending.error} onRetry={submit} />
              )}
            </Section>
          )}
          <details className="border-y border-line" open={sending.isIdle}>
            <summary className="py-2">Shape of the answer, status {operation.success}</summary>
            <div className="pb-3">
              {operation.answer === undefined ? (
                <p className="text-muted">An empty body.</p>
              ) : (
                <CodeBox
                  label="Shape of the answer"
                  text={JSON.stringify(shapeOf(operation.answer), null, 2)}
                />
              )}
            </div>
          </details>
        </div>
      </div>
    </div>
  )
}
