// The titles of stacks of transactions. Apart from the words of all other charts, because the overview needs only these.

export const transactionsByChain = 'Transactions by chain'
export const transactionsByType = 'Transactions by type'
