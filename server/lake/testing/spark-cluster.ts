import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A standalone Spark on loopback: a master and workers, each a process of its own. */
export type SparkCluster = {
  /**
   * Runs the job of ops/spark with arguments; returns how many tasks each worker's executor ran. Throws what the job
   * printed if it fails.
   */
  submit(args: readonly string[]): Promise<number[]>
  stop(): Promise<void>
}

const job = fileURLToPath(new URL('../../../ops/spark/job.py', import.meta.url))

/**
 * Starts a master and `workers` workers of one core. `python` is one that has pyspark, which lies in the folder `spark`;
 * the processes write below `folder`.
 */
export async function startSpark(
  { python, spark }: { readonly python: string; readonly spark: string },
  workers: number,
  folder: string,
): Promise<SparkCluster> {
  const env = {
    ...process.env,
    SPARK_HOME: spark,
    SPARK_LOCAL_IP: '127.0.0.1',
    // Its REST server would take a fixed port.
    SPARK_MASTER_OPTS: '-Dspark.master.rest.enabled=false',
    PYSPARK_PYTHON: python,
    PATH: `${dirname(python)}:${process.env['PATH'] ?? ''}`,
  }
  const children: ChildProcess[] = []
  /** Starts a class of Spark and waits for a line of its log; returns what the line's pattern captured. */
  const start = async (name: string, args: readonly string[], started: RegExp): Promise<string> => {
    const child = spawn(join(spark, 'bin/spark-class'), [`org.apache.spark.deploy.${name}`, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    const log: string[] = []
    for await (const line of createInterface(child.stderr)) {
      log.push(line)
      const found = started.exec(line)?.[1]
      if (found === undefined) continue
      child.stderr.resume()
      return found
    }
    throw new Error(`${name} did not start:\n${log.join('\n')}`)
  }
  const stop = async () => {
    for (const child of children) {
      const ended = child.exitCode ?? child.signalCode ?? once(child, 'exit')
      // Workers end their executors.
      child.kill('SIGTERM')
      await ended
    }
  }
  const place = ['--host', '127.0.0.1', '--webui-port', '0']
  try {
    const master = await start('master.Master', [...place, '--port', '0'], /Starting Spark master at (\S+)/)
    for (let worker = 0; worker < workers; worker += 1) {
      const args = [
        ...place,
        '--cores',
        '1',
        '--memory',
        '1g',
        '--work-dir',
        join(folder, `worker-${worker}`),
        master,
      ]
      await start('worker.Worker', args, /(Successfully registered) with master/)
    }
    return {
      stop,
      async submit(args) {
        const settings = [
          'spark.ui.enabled=false',
          'spark.executor.memory=700m',
          'spark.sql.shuffle.partitions=4',
        ]
        const child = spawn(
          join(spark, 'bin/spark-submit'),
          ['--master', master, ...settings.flatMap((setting) => ['--conf', setting]), job, ...args],
          { env, stdio: ['ignore', 'pipe', 'pipe'] },
        )
        children.push(child)
        const ended = once(child, 'close')
        const output: string[] = []
        const executors = new Map<string, number>()
        for (const stream of [child.stdout, child.stderr])
          createInterface(stream).on('line', (line) => {
            output.push(line)
            const executor = /Starting task .*executor (\d+)/.exec(line)?.[1]
            if (executor !== undefined) executors.set(executor, (executors.get(executor) ?? 0) + 1)
          })
        const [code] = (await ended) as [number | null]
        if (code !== 0) throw new Error(`the job ended with ${code}:\n${output.slice(-40).join('\n')}`)
        return [...executors.values()]
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
