// The subnet EVM as a plugin of avalanchego. Its own program requires a hard limit of 32,768 open files and exits if
// the limit is lower; this one requires half of that, which is enough for a test.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/ava-labs/avalanchego/utils/logging"
	"github.com/ava-labs/avalanchego/utils/ulimit"
	"github.com/ava-labs/avalanchego/vms/rpcchainvm"
	"github.com/ava-labs/subnet-evm/plugin/evm"
)

func main() {
	evm.RegisterAllLibEVMExtras()
	if err := ulimit.Set(16384, logging.NoLog{}); err != nil {
		fmt.Fprintln(os.Stderr, "the limit of open files can't be set:", err)
		os.Exit(1)
	}
	if err := rpcchainvm.Serve(context.Background(), &evm.VM{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
