// Prints what the released module of avalanchego says of the genesis and the checkpoints of the public networks, as JSON,
// and writes the bytes of the P-chain's genesis into the given folder: mainnet.bin, fuji.bin.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"

	"github.com/ava-labs/avalanchego/genesis"
	"github.com/ava-labs/avalanchego/ids"
	"github.com/ava-labs/avalanchego/utils/constants"
	"github.com/ava-labs/avalanchego/utils/hashing"
	platform "github.com/ava-labs/avalanchego/vms/platformvm/genesis"
	"github.com/ava-labs/avalanchego/vms/platformvm/txs"
	"github.com/ava-labs/avalanchego/vms/secp256k1fx"
	"github.com/ava-labs/avalanchego/vms/platformvm/stakeable"
)

type utxo struct {
	Amount    uint64
	Locktime  uint64
	Threshold uint32
	Addresses []string
}

type validator struct {
	NodeID string
	Weight uint64
	Start  uint64
	End    uint64
	Shares uint32
	TxID   string
}

type chain struct {
	TxID     string
	Name     string
	SubnetID string
	VmID     string
}

type facts struct {
	Hash       string
	AvaxAsset  string
	Bytes      int
	Time       uint64
	Supply     uint64
	Utxos      []utxo
	Validators []validator
	Chains     []chain
	// The ids of blocks that the module ships, by the chain's alias.
	Checkpoints map[string][]string
}

func main() {
	all := map[string]facts{}
	for name, id := range map[string]uint32{"mainnet": constants.MainnetID, "fuji": constants.FujiID} {
		bytes, avax, err := genesis.FromConfig(genesis.GetConfig(id))
		check(err)
		check(os.WriteFile(filepath.Join(os.Args[1], name+".bin"), bytes, 0o644))
		parsed, err := platform.Parse(bytes)
		check(err)
		f := facts{
			Hash:      ids.ID(hashing.ComputeHash256Array(bytes)).String(),
			AvaxAsset: avax.String(),
			Bytes:     len(bytes),
			Time:      parsed.Timestamp,
			Supply:    parsed.InitialSupply,
		}
		for _, u := range parsed.UTXOs {
			f.Utxos = append(f.Utxos, factsOf(u.Out))
		}
		for _, tx := range parsed.Validators {
			v := tx.Unsigned.(txs.ValidatorTx)
			f.Validators = append(f.Validators, validator{
				NodeID: v.NodeID().String(), Weight: v.Weight(), Start: uint64(tx.Unsigned.(txs.ScheduledStaker).StartTime().Unix()),
				End: uint64(v.EndTime().Unix()), Shares: v.Shares(), TxID: tx.ID().String(),
			})
		}
		for _, tx := range parsed.Chains {
			c := tx.Unsigned.(*txs.CreateChainTx)
			f.Chains = append(f.Chains, chain{TxID: tx.ID().String(), Name: c.ChainName, SubnetID: c.SubnetID.String(), VmID: c.VMID.String()})
		}
		f.Checkpoints = map[string][]string{"P": checkpointsOf(id, constants.PlatformChainID)}
		for _, tx := range parsed.Chains {
			alias := string(tx.Unsigned.(*txs.CreateChainTx).ChainName[0])
			f.Checkpoints[alias] = checkpointsOf(id, tx.ID())
		}
		all[name] = f
	}
	check(json.NewEncoder(os.Stdout).Encode(all))
}

func checkpointsOf(network uint32, chain ids.ID) []string {
	known := []string{}
	for id := range genesis.GetCheckpoints(network, chain) {
		known = append(known, id.String())
	}
	sort.Strings(known)
	return known
}

func factsOf(out any) utxo {
	locktime := uint64(0)
	if locked, ok := out.(*stakeable.LockOut); ok {
		locktime = locked.Locktime
		out = locked.TransferableOut
	}
	transfer := out.(*secp256k1fx.TransferOutput)
	addresses := []string{}
	for _, address := range transfer.Addrs {
		addresses = append(addresses, address.Hex())
	}
	return utxo{Amount: transfer.Amt, Locktime: locktime, Threshold: transfer.Threshold, Addresses: addresses}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
