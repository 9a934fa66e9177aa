import { callWithToken } from '../call-with-token.ts'
import { queryOptions } from '@tanstack/react-query'
import {
  createWatchChannel,
  deleteWatchChannel,
  listWatchChannels,
  testWatchChannel,
  updateWatchChannel,
  type ChannelDefinition,
} from '../../../contract/watch/channels.ts'
import {
  listWatchDeliveries,
  retryWatchDelivery,
  type deliveryStatuses,
} from '../../../contract/watch/alarms.ts'
import { listQuery } from '../list.ts'
import { watchKey } from './call.ts'

type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Every channel. */
export const channelsQuery = () =>
  queryOptions({
    queryKey: [watchKey, 'channels'],
    queryFn: async () => (await callWithToken(listWatchChannels)).channels,
    refetchInterval: 15_000,
  })

/** The messages of one status, latest first. */
export const deliveriesQuery = (status: DeliveryStatus) =>
  listQuery({
    key: [watchKey, 'deliveries', status],
    read: (paging, signal) =>
      callWithToken(listWatchDeliveries, { query: { ...paging, status }, ...(signal && { signal }) }),
    rowsOf: (page) => page.deliveries,
  })

/** Creates a channel, or replaces one. */
export const saveChannel = (channelId: string | undefined, body: ChannelDefinition, signal: AbortSignal) =>
  channelId === undefined
    ? callWithToken(createWatchChannel, { body, signal })
    : callWithToken(updateWatchChannel, { params: { channelId }, body, signal })

export const deleteChannel = (channelId: string, signal: AbortSignal) =>
  callWithToken(deleteWatchChannel, { params: { channelId }, signal })

export const testChannel = (channelId: string, signal: AbortSignal) =>
  callWithToken(testWatchChannel, { params: { channelId }, signal })

export const retryDelivery = (deliveryId: string, signal: AbortSignal) =>
  callWithToken(retryWatchDelivery, { params: { deliveryId }, signal })
