import { useState } from 'react'
import { contractCodeQuery, contractSourceQuery } from '../../../api/evm/contract-code.ts'
import { verifySource, type SourceToVerify } from '../../../api/evm/verify-source.ts'
import { queryClient } from '../../../api/query-client.ts'
import { Input, Select } from '../../../components/controls.tsx'
import { useRequest } from '../../../components/use-request.ts'
import { BoxedForm, Check, Field } from '../../watch/shared/acts.tsx'
import type { Subject } from './activity.tsx'
import { readSources, requestOf, type CompilerSettings, type ReadSources } from './sources-of-files.ts'

/** Sends the sources of a contract to be compiled and compared with its code. */
export function VerifyForm({ chain: { chainId }, address, onClose }: Subject & { onClose: () => void }) {
  const [sources, setSources] = useState<ReadSources | string>()
  const [contract, setContract] = useState('')
  const [compilerVersion, setCompilerVersion] = useState('')
  const [settings, setSettings] = useState<CompilerSettings>({
    isOptimized: true,
    runs: '200',
    viaIR: false,
    evmVersion: '',
  })
  const send = useRequest<string, SourceToVerify>(async (source, signal) => {
    const match = await verifySource(chainId, address, source, signal)
    // The functions that can be read follow from the ABI.
    for (const { queryKey } of [contractSourceQuery(chainId, address), contractCodeQuery(chainId, address)])
      void queryClient.invalidateQueries({ queryKey })
    return match
  })
  const change = (part: Partial<CompilerSettings>) => setSettings((now) => ({ ...now, ...part }))
  const read = typeof sources === 'object' ? sources : undefined
  const missing =
    typeof sources === 'string'
      ? sources
      : read === undefined
        ? 'Choose the files of the source first.'
        : compilerVersion === ''
          ? 'Say which version of the compiler made the code.'
          : contract === ''
            ? 'Say which contract of the files this is.'
            : !/^\d{1,9}$/.test(settings.runs)
              ? 'The runs of the optimizer are a whole number.'
              : undefined
  const take = async (files: readonly File[]): Promise<void> => {
    const texts = await Promise.all(
      files.map(async (file) => ({ name: file.webkitRelativePath || file.name, text: await file.text() })),
    )
    const next = texts.length === 0 ? undefined : readSources(texts)
    setSources(next)
    setContract(typeof next === 'object' ? (next.contracts.at(-1) ?? '') : '')
  }
  return (
    <BoxedForm
      name="Verify the source"
      act={send.isPending ? 'Compiling …' : 'Verify'}
      request={send}
      missing={missing}
      onClose={() => {
        send.cancel()
        onClose()
      }}
      onSubmit={() =>
        read && send.mutate(requestOf(read, { compilerVersion, contractIdentifier: contract }, settings))
      }
    >
      {() => (
        <>
          <Field
            label="Files"
            note="Solidity sources with everything that they import, or one file of standard JSON input"
          >
            <input
              type="file"
              multiple
              accept=".sol,.json,.yul"
              className="max-w-full py-1.5 text-sm"
              onChange={(event) => void take([...(event.target.files ?? [])])}
            />
          </Field>
          {read && (
            <Field label="Contract" note="The one that lies at this address">
              {read.contracts.length > 0 ? (
                <Select
                  value={contract}
                  options={read.contracts.map((id) => ({ id, label: id }))}
                  onChange={setContract}
                />
              ) : (
                <Input mono value={contract} placeholder="src/Vault.sol:Vault" onChange={setContract} />
              )}
            </Field>
          )}
          <Field label="Compiler version" note="One that the operator has added, such as 0.8.30">
            <Input mono value={compilerVersion} onChange={(text) => setCompilerVersion(text.trim())} />
          </Field>
          {read && !read.hasSettings && (
            <>
              <Check
                label="Optimizer"
                checked={settings.isOptimized}
                onChange={(isOptimized) => change({ isOptimized })}
              />
              <Field label="Runs of the optimizer">
                <Input mono inputMode="numeric" value={settings.runs} onChange={(runs) => change({ runs })} />
              </Field>
              <Field label="EVM version" note="Empty: the compiler’s default">
                <Input
                  mono
                  value={settings.evmVersion}
                  placeholder="cancun"
                  onChange={(evmVersion) => change({ evmVersion: evmVersion.trim() })}
                />
              </Field>
              <Check label="By way of IR" checked={settings.viaIR} onChange={(viaIR) => change({ viaIR })} />
            </>
          )}
        </>
      )}
    </BoxedForm>
  )
}
