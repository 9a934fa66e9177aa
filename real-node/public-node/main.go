// avalanchego of a public network that has nobody to ask. The released program fetches the blocks that it ships as
// checkpoints from peers before it serves anything. This one has the genesis and the rules of the network, and builds on them
// alone: it ends the first validations, whose time has long come.
package main

import (
	"fmt"
	"os"

	"github.com/ava-labs/avalanchego/app"
	"github.com/ava-labs/avalanchego/config"
	"github.com/ava-labs/avalanchego/ids"
	"github.com/ava-labs/avalanchego/utils/constants"
	"github.com/ava-labs/coreth/plugin/evm"
)

func main() {
	evm.RegisterAllLibEVMExtras()
	flags, err := config.BuildViper(config.BuildFlagSet(), os.Args[1:])
	if err != nil {
		fail(err)
	}
	settings, err := config.GetNodeConfig(flags)
	if err != nil {
		fail(err)
	}
	// The flag is refused on a public network. Without it, the chains wait for its validators.
	settings.SybilProtectionEnabled = false
	// The X-Chain's graph ends with what there is of it.
	settings.UpgradeConfig.CortinaXChainStopVertexID = ids.Empty
	// Checkpoints are looked up by the network's name.
	delete(constants.NetworkIDToNetworkName, settings.NetworkID)
	node, err := app.New(settings)
	if err != nil {
		fail(err)
	}
	os.Exit(app.Run(node))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
